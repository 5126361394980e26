import { expect, test } from 'vitest'
import { germanExperiments, germanHeadings } from './germanGroups.ts'
import { labGroups } from './pages.ts'

test('each group and each experiment has German texts', () => {
  expect(labGroups.map(({ title }) => title)).toEqual(Object.keys(germanHeadings))
  const names = labGroups.flatMap(({ pages }) => pages.map(({ href }) => href.slice(5)))
  expect(Object.keys(germanExperiments).toSorted()).toEqual(names.toSorted())
})
