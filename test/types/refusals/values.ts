import { defineResource, enumeration } from 'ashlar'
import { album } from './albums.js'

const Status = enumeration('Status', { upcoming: 'Announced.', released: 'Out.' })

export const values = defineResource('albums', {
  ...album,
  attributes: (a) => ({
    // refuses: 'new' is not a value of a.integer(): list only values that the attribute can hold.
    a: a.integer().in([1, 'new']).storedAs('year'),
    // refuses: 3 is not a value of a.string(): list only values that the attribute can hold.
    b: a.string().in(['new', 3]).storedAs('title'),
    // refuses: 'yes' is not a value of a.boolean()
    c: a.boolean().in([true, 'yes']).storedAs('live'),
    // refuses: 'upcoming' is not a value of a.integer()
    d: a.integer().enum(Status).storedAs('year'),
    // refuses: 2 is not a value of a.string()
    e: a.string().enum(['one', 2]).storedAs('title'),
    // refuses: 'three' is not a value of a.string(): list only values that the attribute can hold.
    f: a.string().in(['one', 'two']).enum(['one', 'three']).storedAs('title'),
    // refuses: 'three' is not a value of a.string(): list only values that the attribute can hold.
    l: a.string().enum(['one', 'two']).in(['one', 'three']).storedAs('title'),
    // refuses: Column 'mood' does not hold 'mad': list only values of the column in in() or enum().
    m: a.string().in(['calm', 'mad']).storedAs('mood'),
    // refuses: Column 'mood' does not hold 'sad': list only values of the column in in() or enum().
    n: a.string().enum(['sad']).storedAs('mood'),
    o: a
      .string()
      .computed((row) => row.title)
      // refuses: A computed attribute with a function is read-only: declare it as computed().extractUsing(…).fillUsing(…).
      .fillUsing(() => ({})),
    p: a
      .string()
      .readOnly()
      // refuses: fillUsing() is never called for a read-only attribute: remove one of the two.
      .fillUsing(() => ({}))
      .storedAs('title'),
    q: a.string().in(['calm']).storedAs('mood'),
    r: a.string().storedAs('mood'),
    // refuses: null is not a value of a.string()
    g: a.string().in(['one', null]).storedAs('title'),
    // refuses: Type 'number' is not assignable to type 'string'.
    h: a.string().notIn([1]).storedAs('title'),
    i: a
      .string()
      .in(['one', 'two'])
      // refuses: Type '"three"' is not assignable to type '"one" | "two"'.
      .computed(() => 'three'),
    k: a
      .arrayList()
      .of('integer')
      // refuses: Type 'string' is not assignable to type 'number'.
      .computed(() => ['one']),
    // refuses: Argument of type 'number' is not assignable to parameter of type 'string'.
    j: a.string().example(3).storedAs('title'),
  }),
})
