/** `Björk` becomes `bjork`, `Miles Davis` becomes `miles-davis`. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.match(/[a-z0-9]+/g)?.join('-') ?? 'unnamed'
}
