/** The expected state of the shop after a write, without any of its code. */

type Members = Readonly<Record<string, unknown>>

/** How a value that was sent is shown again. */
interface Kind {
  /** @param before the state before; `null` for none */
  shown(sent: unknown, before: unknown): unknown
  /** Whether it is shown even if it is empty. */
  readonly isAlwaysThere?: true
}

const same: Kind = { shown: (sent) => sent }

/** Moments are shown in one form, whichever they were sent in: `2026-01-31T12:30:00+00:00`. */
const dateTime: Kind = {
  shown(sent) {
    const [, day, time, fraction = '', zone = 'Z'] =
      /^(.{10})[Tt](\d\d:\d\d(?::\d\d)?)(?:[.,](\d+))?([Zz]|[+-].*)?$/.exec(String(sent)) ?? []
    const seconds = time?.length === 5 ? `${time}:00` : time
    const offset = zone.toUpperCase().replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2')
    const instant = new Date(`${day}T${seconds}.${thousandths(fraction)}${offset}`)
    return instant.toISOString().replace('.000Z', 'Z').replace('Z', '+00:00')
  },
}

const time: Kind = {
  shown(sent) {
    const [whole = '', fraction = ''] = String(sent).split(/[.,]/)
    const seconds = whole.length === 5 ? `${whole}:00` : whole
    return thousandths(fraction) === '000' ? seconds : `${seconds}.${thousandths(fraction)}`
  },
}

function thousandths(fraction: string): string {
  return fraction.padEnd(3, '0').slice(0, 3)
}

/** Declared members merged into the existing ones; others are dropped. */
function object(children: Readonly<Record<string, Kind>>): Kind {
  return {
    shown: (sent, before) => overlaid(children, sent as Members, (before ?? {}) as Members),
  }
}

/** Like an object, but always present. */
function map(children: Readonly<Record<string, Kind>>): Kind {
  return {
    isAlwaysThere: true,
    shown: (sent, before) => {
      const cleared = Object.fromEntries(Object.keys(children).map((name) => [name, null]))
      return overlaid(children, (sent ?? cleared) as Members, (before ?? {}) as Members)
    },
  }
}

function overlaid(children: Readonly<Record<string, Kind>>, sent: Members, before: Members): Members {
  const members = Object.entries(children).map(([name, kind]) => {
    const [there, was] = [Object.hasOwn(sent, name), before[name] ?? null]
    const value = there ? sent[name] : was
    if (value === null && kind.isAlwaysThere === undefined) return [name, null]
    return [name, there ? kind.shown(value, was) : (was ?? kind.shown(null, null))]
  })
  return Object.fromEntries(members)
}

function variants(discriminator: string, named: Readonly<Record<string, Readonly<Record<string, Kind>>>>): Kind {
  return {
    shown(sent, before) {
      const variant = (sent as Members)[discriminator]
      const stored = before !== null && (before as Members)[discriminator] === variant ? before : {}
      const children = { [discriminator]: same, ...named[String(variant)] }
      return overlaid(children, sent as Members, stored as Members)
    },
  }
}

const kinds: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  releases: {
    title: same,
    code: same,
    contact: same,
    website: same,
    barcode: same,
    slug: same,
    origin: same,
    discs: same,
    price: same,
    explicit: same,
    announcedAt: dateTime,
    releasedOn: same,
    doorsAt: time,
    genres: same,
    chart: same,
    extras: same,
    imprint: map({ label: same, place: map({ city: same }) }),
    dimensions: object({ width: same, sleeve: object({ colour: same, printedOn: same }), notes: same }),
    medium: variants('format', { vinyl: { speed: same, cutAt: dateTime }, download: { bitrate: same, extra: same } }),
  },
  artists: { name: same, country: same },
  portraits: { title: same },
  albums: { title: same, year: same },
  tracks: { title: same },
  playlists: { title: same },
  shelves: { title: same },
}

/** The attributes of a resource after a write, except those that are not in its own row or that clients cannot write. */
export function attributesAfter(type: string, sent: Members, before: Members | null): Members {
  return overlaid(kinds[type] ?? {}, sent, before ?? {})
}

const pivotKinds = { position: same, note: same, cue: object({ at: time, tags: same }) }

/** The fields of a join row after a write, except those that clients cannot write. */
export function pivotAfter(sent: unknown, before: unknown): Members {
  return overlaid(pivotKinds, asMembers(sent), asMembers(before))
}

/** A value that is no object has no members. */
export function asMembers(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}
}

/** The value at a pointer, in a list of none or one. */
export function valuesAt(document: unknown, pointer: string): readonly unknown[] {
  let found: readonly unknown[] = [document]
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    found = found.flatMap((value) => {
      if (typeof value !== 'object' || value === null) return []
      return Object.hasOwn(value, name) ? [(value as Members)[name]] : []
    })
  }
  return found
}
