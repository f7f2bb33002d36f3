import { graphql } from '../gql/gql.ts';

// Documents select `__typename`, because Apollo's cache needs it for the appointments that the page writes optimistically.
graphql(`
  fragment AppointmentParts on Appointment {
    __typename
    id
    status
    source
    startsAt
    endsAt
    description
    appointmentType {
      __typename
      id
      name
    }
    member {
      __typename
      id
      displayName
    }
    customer {
      __typename
      id
      title
      referenceNumber
    }
    workOrder {
      __typename
      id
      title
      status
    }
    result {
      __typename
      notes
      code {
        __typename
        id
        name
      }
    }
  }
`);

// The current appointment after a conflict, which the page displays immediately.
graphql(`
  fragment AppointmentFailure on MutationError {
    ...Failure
    ... on OutcomeUnknownError {
      candidates {
        __typename
        ... on Appointment {
          ...AppointmentParts
        }
      }
    }
    ... on TransitionBlockedError {
      current {
        __typename
        ... on Appointment {
          ...AppointmentParts
        }
      }
    }
  }
`);

graphql(`
  fragment AgendaParts on Agenda {
    id
    name
    strategy
    timeZone
    isActive
    isBookable
    allowedTypes {
      __typename
      id
      name
      defaultDurationMinutes
      allowedDurationMinutes
    }
  }
`);

/** The columns of a day. */
export const Agendas = graphql(`
  query Agendas {
    agendas {
      ...AgendaParts
    }
  }
`);

/** Column of a day: its appointments, and the available slots if it's bookable. */
export const AgendaDay = graphql(`
  query AgendaDay(
    $agendaId: ID!
    $day: Date!
    $scheduledBetween: DateTimeRangeInput!
    $appointmentTypeId: ID!
    $isBookable: Boolean!
    $after: String
  ) {
    agenda(id: $agendaId) {
      id
      availableSlots(day: $day, appointmentTypeId: $appointmentTypeId) @include(if: $isBookable) {
        startsAt
        endsAt
        members {
          __typename
          id
          displayName
        }
      }
    }
    appointments(scheduledBetween: $scheduledBetween, filter: { agendaId: $agendaId }, first: 40, after: $after) {
      edges {
        cursor
        node {
          ...AppointmentParts
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

/** The customer of an appointment, with the work orders that it can be for. */
export const CustomerToVisit = graphql(`
  query CustomerToVisit($referenceNumber: String!) {
    customersByIdentifier(by: { referenceNumber: $referenceNumber }) {
      __typename
      id
      title
      referenceNumber
      workOrders(first: 25, filter: { status: OPEN }) {
        edges {
          cursor
          node {
            __typename
            id
            title
            status
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

/** Fetched when the form is opened, because it costs one call per appointment. */
export const ResultCodes = graphql(`
  query ResultCodes($appointmentId: ID!) {
    appointment(id: $appointmentId) {
      id
      resultCodes {
        __typename
        id
        name
        isSuccess
      }
    }
  }
`);

export const BookAppointment = graphql(`
  mutation BookAppointment($input: AppointmentCreateInput!) {
    appointmentCreate(input: $input) {
      __typename
      ... on AppointmentCreatePayload {
        effect
        appointment {
          ...AppointmentParts
        }
      }
      ...AppointmentFailure
    }
  }
`);

export const CancelAppointment = graphql(`
  mutation CancelAppointment($input: AppointmentCancelInput!) {
    appointmentCancel(input: $input) {
      __typename
      ... on AppointmentCancelPayload {
        effect
        appointment {
          ...AppointmentParts
        }
      }
      ...AppointmentFailure
    }
  }
`);

export const RecordResult = graphql(`
  mutation RecordResult($input: AppointmentResultRecordInput!) {
    appointmentResultRecord(input: $input) {
      __typename
      ... on AppointmentResultRecordPayload {
        effect
        appointment {
          ...AppointmentParts
        }
      }
      ...AppointmentFailure
    }
  }
`);
