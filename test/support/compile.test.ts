import { expect, test } from 'vitest'
import { compile } from './compile.js'

test('Errors are reported by file and line, with everything that explains them', async () => {
  const { diagnosticsOf } = await compile({
    'one/album.ts': 'export const album: { year: number } = { year: 1997 }',
    'two/album.ts': "export const album = { year: '1997' }",
    'two/artist.ts': "import { album } from './album.js'\n\nexport const latest: { year: number } = album\n",
  })
  expect(diagnosticsOf('one/album.ts')).toEqual([])
  expect(diagnosticsOf('two/album.ts')).toEqual([])
  expect(diagnosticsOf('two/artist.ts')).toEqual([
    {
      line: 3,
      message: `Type '{ year: string; }' is not assignable to type '{ year: number; }'.
  Types of property 'year' are incompatible.
    Type 'string' is not assignable to type 'number'.`,
    },
  ])
  expect(() => diagnosticsOf('three/album.ts')).toThrow('three/album.ts is not among the files that were compiled')
})

test('A syntax error is thrown, because it would hide the type errors of all files', async () => {
  const files = { 'broken.ts': 'export const = 1997', 'wrong.ts': "export const year: number = '1997'" }
  await expect(compile(files)).rejects.toThrow('broken.ts(1,14): error TS1134')
})
