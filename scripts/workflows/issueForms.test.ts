import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../workspace/paths.mjs'

type Field = {
  readonly type: string
  readonly id: string
  readonly attributes: { readonly label: string }
  readonly validations?: { readonly required?: boolean }
}
type Form = { readonly name: string; readonly description: string; readonly body: Field[] }

const folder = join(root, '.github/ISSUE_TEMPLATE')
const names = readdirSync(folder).filter((name) => name !== 'config.yml')

function readForm(name: string): Form {
  return parse(readFileSync(join(folder, name), 'utf8'))
}

test.each(names)('GitHub accepts the form %s', (name) => {
  const { name: title, description, body } = readForm(name)
  expect([title, description].every((text) => text.length > 0)).toBe(true)
  const ids = body.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { type, attributes } of body) {
    expect(['textarea', 'input', 'dropdown', 'checkboxes']).toContain(type)
    expect(attributes.label).toBeTruthy()
  }
})

test('a bug report includes the output of waymark info', () => {
  const info = readForm('bug.yml').body.find(({ attributes }) =>
    attributes.label.includes('waymark info'),
  )
  expect(info?.validations?.required).toBe(true)
})
