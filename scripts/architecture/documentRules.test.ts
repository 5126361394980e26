import { describe, expect, test } from 'vitest'
import { documentViolations } from './documentRules.ts'
import { parseSource } from './source.ts'

const check = (text: string, path = 'packages/waymark/src/client/a.ts') =>
  documentViolations([parseSource(path, text)], {})

describe('a reader of the document', () => {
  test.each([
    ["document.querySelector('b')", "querySelector('b')"],
    ["document.querySelectorAll<HTMLElement>(\n  'b',\n)", "querySelectorAll<HTMLElement>( 'b', )"],
    ["document.getElementById('B:0')", "getElementById('B:0')"],
    ['target.closest(name(0, `b`))', 'closest(name(0, `b`))'],
  ])('is found: %s', (text, call) => {
    expect(check(text)).toEqual([expect.stringContaining(`: ${call} reads the document`)])
  })

  test('is accepted on the server, and if it is listed', () => {
    const text = "document.querySelector('b')"
    expect(check(text, 'packages/waymark/src/rsc/a.ts')).toEqual([])
    const source = parseSource('packages/waymark/src/client/a.ts', text)
    const listed = { reason: { 'client/a.ts': { "querySelector('b')": [] } } }
    expect(documentViolations([source], listed)).toEqual([])
    expect(documentViolations([], listed)).toEqual([
      expect.stringContaining('reads nothing any more'),
    ])
  })
})
