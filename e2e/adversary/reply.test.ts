import { expect, test } from 'vitest'
import { makeForm } from './forms.ts'
import { randomAt } from './random.ts'
import { makeReply } from './reply.ts'

const actionIds = ['a#one', 'b#two']
const replies = Array.from({ length: 5_000 }, (_, index) =>
  makeReply({ random: randomAt(3, index), actionIds }, 0),
)
const texts = replies.flatMap((rows) => rows.map(([, text]) => text))

test('replies contain references of every kind', () => {
  for (const tag of [...'h@FQWKiRrXxBTZAOoUSsLlGgMmVn', '']) {
    const reference = `"$${tag}1"`
    expect([reference, texts.some((text) => text.includes(reference))]).toEqual([reference, true])
  }
})

test('most rows are JSON, some are not', () => {
  const broken = texts.filter((text) => !isJson(text)).length / texts.length
  expect(broken).toBeGreaterThan(0.01)
  expect(broken).toBeLessThan(0.3)
})

test('rows are duplicated, missing, or refer to themselves', () => {
  const isDoubled = (rows: (typeof replies)[number]) =>
    new Set(rows.map(([id]) => id)).size < rows.length
  expect(replies.some(isDoubled)).toBe(true)
  expect(replies.some((rows) => !rows.some(([id]) => id === '0'))).toBe(true)
  expect(replies.some((rows) => rows.some(([id, text]) => text.includes(`$@${id}`)))).toBe(true)
})

test('forms have each peculiarity, and a form with a duplicated field says so', () => {
  const source = (index: number) => ({ random: randomAt(5, index), actionIds })
  const forms = Array.from({ length: 500 }, (_, index) => makeForm(source(index), 'a#one'))
  const traits = new Set(forms.map(({ trait }) => trait))
  expect(traits.size).toBe(5)
  for (const { parts, trait } of forms) {
    if (trait !== 'with a field twice') continue
    const names = parts.map(({ name }) => name)
    expect(new Set(names).size).toBeLessThan(names.length)
  }
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
