import { DirectiveLocation, GraphQLDirective, specifiedDirectives } from 'graphql';

/**
 * The directives of GraphQL itself, with the locations of the latest specification (September 2025). graphql-js adds the proposed `DIRECTIVE_DEFINITION` to
 * `@deprecated`, and clients that don't know it can't build a schema from an introspection result, such as graphql-core of Python before 3.2.11 (June 2026).
 * Remove this file when a published specification has that location.
 */
export const SPECIFIED_DIRECTIVES: readonly GraphQLDirective[] = specifiedDirectives.map((directive) => {
  const { locations, ...config } = directive.toConfig();
  return new GraphQLDirective({
    ...config,
    locations: locations.filter((location) => location !== DirectiveLocation.DIRECTIVE_DEFINITION),
  });
});
