import type { OpenApiDocument } from 'ashlar'
import { type Config, createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'

/** All rules that the linter recommends, except those for optional features of an application. */
function config(hasSecurity: boolean): Promise<Config> {
  return createConfig({
    extends: ['recommended-strict'],
    rules: {
      // The application chooses the license of its API, and whether it describes its types and their tags.
      'info-license': 'off',
      'info-license-strict': 'off',
      'tag-description': 'off',
      // The routes of actions and those of relations differ by a segment that no id may have.
      'no-ambiguous-paths': 'off',
      // A server without authentication has no security to declare.
      ...(hasSecurity ? {} : { 'security-defined': 'off' }),
    },
  })
}

/** Returns the findings of a validator of OpenAPI 3.1 and of a linter for a document. Both read only the document. */
export async function lintProblems(document: Pick<OpenApiDocument, 'components'>): Promise<readonly string[]> {
  const source = JSON.stringify(document)
  const problems = await lintFromString({
    source,
    absoluteRef: '/openapi.json',
    config: await config('securitySchemes' in document.components),
  })
  const { valid, errors } = await new Validator().validate(JSON.parse(source) as Record<string, unknown>)
  return [
    ...(valid ? [] : [`the document is not OpenAPI 3.1: ${JSON.stringify(errors)}`]),
    ...problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer ?? ''}`),
  ]
}
