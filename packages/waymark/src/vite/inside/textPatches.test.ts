import { expect, test } from 'vitest'
import { createPatchReport } from './patchedReact.ts'
import { applyChanges } from './textPatches.ts'

test('a text is changed wholly or not at all', () => {
  const changes = [
    [/a/, '1'],
    [/b/, '2'],
  ] as const
  expect(applyChanges('ab', changes)).toBe('12')
  expect(applyChanges('ac', changes)).toBeNull()
})

test('a patch that is not possible is told in one line, once', () => {
  const lines: string[] = []
  const report = createPatchReport(
    (line) => lines.push(line),
    () => true,
  )
  report.record('dev-references', 'not possible')
  report.record('dev-references', 'not possible')
  report.record('dev-references', 'applied')
  report.record('node-react', 'applied')
  expect(report.states()).toEqual({ 'dev-references': 'not possible', 'node-react': 'applied' })
  expect(lines).toEqual([
    'Waymark does without dev-references: the text is another one. The dev server takes more memory with each edit; all else works.',
  ])
})
