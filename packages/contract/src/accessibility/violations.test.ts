import { expect, test } from 'vitest'
import { formatDetail, formatViolations, mergeViolations } from './violations.ts'

const contrast = { rule: 'color-contrast', help: 'Elements must have contrast' }
const names = { rule: 'button-name', help: 'Buttons must have discernible text' }

test('violations are sorted by rule, with the number of elements', () => {
  const some = [
    { ...contrast, selectors: ['p', 'a'] },
    { ...names, selectors: ['button'] },
  ]
  expect(formatViolations(some)).toBe('button-name (1), color-contrast (2)')
  expect(formatViolations([])).toBe('no violations')
})

test('an element with a violation in both colour schemes counts once', () => {
  const light = [{ ...contrast, selectors: ['p'] }]
  const dark = [{ ...contrast, selectors: ['p', 'a'] }]
  expect(mergeViolations(light, dark)).toEqual([{ ...contrast, selectors: ['p', 'a'] }])
})

test('a detail names the first elements and the rule', () => {
  const selectors = ['form > .quiet', '#menu', '#a', '#b']
  expect(formatDetail({ place: '/board', ...names, selectors })).toBe(
    '/board: button-name, 4 elements: form > .quiet, #menu, #a and others. Buttons must have discernible text.',
  )
  expect(formatDetail({ place: '/board', ...names, selectors: ['#menu'] })).toBe(
    '/board: button-name, 1 element: #menu. Buttons must have discernible text.',
  )
})
