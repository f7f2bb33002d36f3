import { listExposedOperations } from '../../../scripts/contract/exposure.ts';
import { graph } from '../../support/contract/graph.ts';
import { createDocuments } from '../../support/documentFor.ts';
import { type Area, post } from './case.ts';

/** Arguments that reach an operation if the required ones alone don't. */
const GIVEN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'Appointment/ListAppointments': { scheduledBetween: { lt: '2026-06-02T09:00:00Z' } },
  'Catalog/SearchProducts': { query: 'x' },
  'Member/SearchMembers': { query: 'x' },
  'Problem/SearchProblems': { query: 'x' },
  'Role/SearchRoles': { query: 'x' },
  'Team/SearchTeams': { query: 'x' },
  'WorkOrder/SearchWorkOrders': { query: 'x' },
};

/** A query to each field that calls an operation: with a key that can read everything and with one that can't. */
const places = listExposedOperations(graph).filter(({ type }) => type !== 'Mutation' && !type.endsWith('Payload'));
const cases = places.flatMap((place) =>
  createDocuments(place, GIVEN[place.operation.name]).map(({ title, query, variables }) => ({
    title,
    steps: ['demo-owner', 'demo-creator'].map((key) => ({ title: `${title} as ${key}`, request: post(query, variables, key) })),
  })),
);

export const coordinates: Area = { name: 'coordinates', cases };
