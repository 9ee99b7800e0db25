import { HttpError } from '../errors/http-error.js'
import type { CompiledType } from '../resource/compiled-type.js'
import type { ResourceDocument } from './steps/resource-document.js'

/** Writing relationships: refused, because leaving them out of account would lose what the client asked for. */
export function refuseUnservedRelationships(
  { relationNamed }: CompiledType,
  { relationships }: ResourceDocument,
): void {
  if (Object.keys(relationships).some((name) => relationNamed.has(name))) notServedYet('Writing relationships')
}

export function notServedYet(feature: string): never {
  throw new HttpError(501, `${feature} is not served yet.`)
}
