/** `Björk` becomes `bjork`, `Miles Davis` becomes `miles-davis`. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.match(/[a-z0-9]+/g)?.join('-') ?? 'unnamed'
}

/** The first that nobody has: with a number behind it where the plain one is taken. */
export async function freeSlug(slug: string, isTaken: (slug: string) => Promise<boolean>): Promise<string> {
  let free = slug
  for (let number = 2; await isTaken(free); number += 1) free = `${slug}-${number}`
  return free
}
