/** No group is empty. */
export type Group<Each> = [Each, ...Each[]]

/** Groups rows by a key, in the order of their first rows. */
export function grouped<Each, Key>(rows: readonly Each[], keyOf: (row: Each) => Key): ReadonlyMap<Key, Group<Each>> {
  const groups = new Map<Key, Group<Each>>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return groups
}
