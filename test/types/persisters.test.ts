import { defineResource, id, model } from 'ashlar'
import type { CompiledType, CreateShortcuts, Persister, WriteContext } from 'ashlar/store'
import { describe, expectTypeOf, it } from 'vitest'

// The compiler does not know that an interface has no other members, so that its values would not be accepted.
type Row = {
  id: number
  title: string
}

/** A persister of a user: it knows the columns of its type. */
class Albums {
  async create(_type: CompiledType, values: Row, _write: WriteContext): Promise<Row> {
    return { ...values, title: values.title.trim() }
  }

  async update(_type: CompiledType, key: unknown, values: Partial<Row>, _write: WriteContext): Promise<Row | null> {
    return { id: Number(key), title: '', ...values }
  }

  async delete(): Promise<boolean> {
    return true
  }
}

describe('a persister', () => {
  it('may declare the types of its values', () => {
    expectTypeOf<Albums>().toExtend<Persister>()
    const persister: Persister = new Albums()
    defineResource('albums', { model: model<Row>('albums'), id: id(), persister })
    defineResource('albums', { model: model<Row>('albums'), id: id(), persister: new Albums() })
  })

  it('returns rows all the same', () => {
    expectTypeOf<Omit<Albums, 'create'> & { create(): string }>().not.toExtend<Persister>()
    expectTypeOf<Omit<Albums, 'create'>>().not.toExtend<Persister>()
  })

  it('writes several rows by a shortcut of the function that writes one', () => {
    type Many = NonNullable<CreateShortcuts['many']>
    expectTypeOf<Many>().parameter(1).toEqualTypeOf<readonly Readonly<Record<string, unknown>>[]>()
  })
})
