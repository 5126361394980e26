import { transformWithOxc } from 'vite'
import { expect, test } from 'vitest'
import { observeReads } from './observeReads.ts'

const head = "'use client'\n"

/** Returns the changed module, which must be valid. */
async function observe(code: string): Promise<string | null> {
  const changed = observeReads(head + code, 'app/a.tsx', './recorder.js')
  if (changed !== null) await transformWithOxc(changed, 'app/a.tsx')
  return changed
}

test.each<[title: string, code: string, expected: string]>([
  [
    'a function',
    'export function A({ a }) {\n  return a\n}',
    'export function A(__waymarkProps: any) { let { a } = ',
  ],
  ['a type', 'export function A({ a }: Props) { return a }', 'let { a }: Props = '],
  [
    'a default export',
    'export default function (props) { return props.a }',
    '["app/a.tsx default"]',
  ],
  [
    'a separate export',
    'function A(props) { return props.a }\nexport { A as B }',
    '["app/a.tsx B"]',
  ],
  [
    'two exports',
    'export const A = (props) => props.a\nexport default A',
    '["app/a.tsx A","app/a.tsx default"]',
  ],
  [
    'an arrow function',
    'export const A = props => <p>{props.a}</p>',
    '(__waymarkProps: any) => { let props = ',
  ],
  [
    'memo and forwardRef',
    'export const A = memo(forwardRef(function A({ a }, ref) { return a }))',
    'function A(__waymarkProps: any, ref) { let { a } = ',
  ],
  [
    'a default value',
    'export function A({ a } = {}) { return a }',
    'let { a } = __waymarkProps === undefined ? {} : ',
  ],
  [
    'a directive',
    "export function A({ a }) {\n  'use memo'\n  return a\n}",
    "'use memo'; let { a } = ",
  ],
])('observes %s', async (_, code, expected) => {
  expect(await observe(code)).toContain(expected)
})

test.each<[title: string, code: string]>([
  ['a module without components', 'export const a = 1'],
  ['a component without properties', 'export function A() { return null }'],
  ['a class', 'export class A extends Component { render() { return this.props.a } }'],
  ['an export of another module', "export { A } from './b.tsx'"],
  ['a hook', 'export function useA(props) { return props.a }'],
])('leaves %s as it is', async (_, code) => {
  expect(await observe(code)).toBeNull()
})

test('leaves a module without the directive as it is', () => {
  expect(observeReads('export function A({ a }) { return a }', 'a.tsx', 'r')).toBeNull()
})

test('keeps the numbers of the lines below a component', async () => {
  const code =
    'export function A({\n  a, // first\n  b,\n}: Props) {\n  return a + b\n}\nconst last = 1\n'
  const changed = await observe(code)
  const lineOf = (text: string) => text.split('\n').findIndex((line) => line.includes('last'))
  expect(lineOf(changed ?? '')).toBe(lineOf(head + code))
})
