import { graphql } from '../gql/gql.ts';

// Types are named where the page writes an appointment as it will be: Apollo's cache needs them.
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

// The appointment as it is now, when others have changed it: the page shows it at once.
graphql(`
  fragment AppointmentFailure on MutationError {
    ...Failure
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

/** Column of a day: the appointments of a day, and the free times where they can be booked. */
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

/** Whom an appointment is for, with the work orders that it can be made for. */
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

/** Read when the form is opened: it takes a call for each appointment. */
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
