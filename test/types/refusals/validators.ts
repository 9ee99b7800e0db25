import { defineResource, id, model } from 'ashlar'
import * as v from 'valibot'
import { z } from 'zod'

type Row = Record<string, unknown> & { id: number }

export const refused = defineResource('albums', {
  model: model<Row>('albums'),
  id: id(),
  attributes: (a) => ({
    // refuses: This validator accepts no value of a.string(): give one for values that the attribute can hold.
    title: a.string().check(z.number()),
    // refuses: This validator accepts no value of a.integer()
    year: a.integer().check(v.string()),
    // refuses: This validator accepts no value of a.dateTime()
    released: a.dateTime().check(z.date()),
    // refuses: This validator accepts no value of a.boolean()
    live: a.boolean().check(z.literal(1)),
    // refuses: This validator accepts no value of a.string()
    format: a.string().in(['lp', 'cd']).check(z.literal('mc')),
    // refuses: This validator accepts no value of a.arrayList()
    tags: a.arrayList().check(z.string()),
    // refuses: This validator accepts no value of a.arrayList()
    years: a.arrayList().of('integer').check(z.array(z.string())),
    // refuses: This validator accepts no value of a.arrayHash()
    extra: a.arrayHash().check(z.string()),
    // refuses: This validator accepts no value of a.arrayHash()
    more: a.arrayHash().check(z.array(z.string())),
    // refuses: This validator accepts no value of a.object()
    packaging: a.object().fields({ kind: a.string() }).check(v.number()),
  }),
})

interface Track {
  title: string
  length?: number
}

export const accepted = defineResource('albums', {
  model: model<Row>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a
      .string()
      .check(z.string().min(2))
      .check(v.pipe(v.string(), v.minLength(2))),
    format: a.string().check(z.enum(['lp', 'cd'])),
    coerced: a.integer().check(z.coerce.number()),
    anything: a.boolean().check(z.any()).check(z.unknown()).check(z.boolean().or(z.string())),
    some: a.string().in(['lp', 'cd']).check(z.string()),
    maybe: a.string().nullable().check(z.string().nullable().optional()),
    tags: a
      .arrayList()
      .check(z.array(z.string()))
      .check(v.array(v.object({ title: v.string() }))),
    years: a.arrayList().of('integer').check(z.array(z.number()).nonempty()),
    pair: a
      .arrayList()
      .of('number')
      .check(z.tuple([z.number(), z.number()])),
    extra: a
      .arrayHash()
      .check(z.object({ rpm: z.number().optional() }))
      .check(z.record(z.string(), z.number())),
    track: a.arrayHash().check(z.custom<Track>()),
    packaging: a
      .object()
      .fields({ kind: a.string() })
      .check(z.object({ kind: z.string() })),
    medium: a
      .oneOf()
      .variant('vinyl', { rpm: a.integer() })
      .check(z.object({ type: z.literal('vinyl') })),
  }),
})
