import { expect, test } from 'vitest'
import { nearestName } from './arguments.ts'

const names = ['dev', 'build', 'start', 'routes', 'info'] as const

test.each([
  ['bild', 'build'],
  ['biuld', 'build'],
  ['strat', 'start'],
  ['route', 'routes'],
  ['rou', 'routes'],
  ['Dev', 'dev'],
  ['x', null],
  ['deploy', null],
  ['', null],
])('%s is near %s', (given, expected) => {
  expect(nearestName(given, names)).toBe(expected)
})
