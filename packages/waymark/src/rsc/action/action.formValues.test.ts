import { expect, test } from 'vitest'
import { echoedValues, formValues } from './action.ts'

function form(...entries: [name: string, value: string | File][]): FormData {
  const fields = new FormData()
  for (const [name, value] of entries) fields.append(name, value)
  return fields
}

test('a repeated name has all of its values, in order', () => {
  const fields = form(['a', '1'], ['b', '2'], ['a', '3'], ['$ACTION_ID_x', ''], ['a', ''])
  expect(formValues(fields)).toEqual({ a: ['1', '3', ''], b: '2' })
})

test('a file field without a file is left out, and other files are not', () => {
  const file = new File(['x'], 'a.txt')
  const values = formValues(form(['none', new File([], '')], ['some', file]))
  expect(values).toEqual({ some: file })
  expect(echoedValues(form(['some', file], ['password', 'x'], ['name', 'ann']))).toEqual({
    name: 'ann',
  })
})

test('property names of objects are ordinary field names', () => {
  expect(Object.entries(formValues(form(['__proto__', '1'], ['toString', '2'])))).toEqual([
    ['__proto__', '1'],
    ['toString', '2'],
  ])
})

test('a repeated name does not copy the values before it', () => {
  const count = 500
  const fields = form(...Array.from({ length: count }, (_, at): [string, string] => ['a', `${at}`]))
  const { values, walked } = countWalked(() => formValues(fields))
  expect(values.a).toHaveLength(count)
  // Only the name and value of each field may be visited. If lists were copied for each field, 125,000 items would be
  // visited.
  expect(walked).toBeLessThanOrEqual(4 * count)
})

/** Counts the items of all lists that are iterated, as happens when a list is copied. */
function countWalked<T>(run: () => T): { values: T; walked: number } {
  const original = Array.prototype[Symbol.iterator]
  let walked = 0
  Array.prototype[Symbol.iterator] = function iterate(this: unknown[]) {
    walked += this.length
    return original.call(this)
  }
  try {
    return { values: run(), walked }
  } finally {
    Array.prototype[Symbol.iterator] = original
  }
}
