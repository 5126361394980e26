import { parseAst } from 'vite'
import { describe, expect, test } from 'vitest'
import { findUsedMessages } from './findUsedMessages.ts'

const head = "import { useTranslations } from '@waymark/i18n'\n"

function keysOf(code: string) {
  return findUsedMessages(parseAst(code, { lang: 'tsx' }))?.keys
}

describe('literal keys', () => {
  test.each([
    ["const t = useTranslations('a'); t('b')", ['a.b']],
    [
      "const t = useTranslations('a.b'); t.rich('c', { x: 1 }); t.has('d'); t.markup('e')",
      ['a.b.c', 'a.b.d', 'a.b.e'],
    ],
    ["const t = useTranslations(); t('a.b')", ['a.b']],
    ["const t = useTranslations('a'); t(x ? 'b' : `c`)", ['a.b', 'a.c']],
    ["const t = useTranslations('a'); t(('b' as const))", ['a.b']],
    [
      "function A() { const t = useTranslations('a'); return <p title={t('b')}>{t('c')}</p> }",
      ['a.b', 'a.c'],
    ],
    ["const t = useTranslations('a'); const o = { t: 1 }; o.t", []],
    // Variables of the same name may belong to either group.
    [
      "function A() { const t = useTranslations('a'); t('x') }; function B() { const t = useTranslations('b'); t('y') }",
      ['a.x', 'b.x', 'a.y', 'b.y'],
    ],
  ])('of %s are %j', (code, keys) => {
    expect(keysOf(head + code)).toEqual(keys)
  })
})

describe('computed keys take the whole group', () => {
  test.each([
    ["const t = useTranslations('a'); t(key)", ['a']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
    ["const t = useTranslations('a'); t(`b.c.${key}`)", ['a.b.c']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
    ["const t = useTranslations('a'); t(`b${key}`)", ['a']],
    ["const t = useTranslations('a'); show(t)", ['a']],
    ["const t = useTranslations('a'); const o = { t }", ['a']],
    ["const t = useTranslations('a'); <Child t={t} />", ['a']],
    ["const t = useTranslations('a'); t[name]('b')", ['a']],
    ["const { rich } = useTranslations('a')", true],
    ["useTranslations('a')('b')", true],
    ['const t = useTranslations(group)', true],
    ['const t = useTranslations(); t(key)', true],
    ['export { useTranslations }', true],
    ['const hook = useTranslations', true],
  ])('of %s: %j', (code, keys) => {
    expect(keysOf(head + code)).toEqual(keys)
  })

  test('of a whole module', () => {
    expect(
      keysOf("import * as i18n from '@waymark/i18n'; const t = i18n.useTranslations('a')"),
    ).toBe(true)
    expect(keysOf("import * as i18n from '@waymark/i18n'; i18n.useLocale()")).toEqual([])
    expect(keysOf("export { useTranslations } from '@waymark/i18n'")).toBe(true)
    expect(keysOf("export * from '@waymark/i18n'")).toBe(true)
    expect(keysOf("const { useTranslations } = await import('@waymark/i18n')")).toBe(true)
  })
})

test('a module without the package uses nothing', () => {
  expect(
    keysOf("import { useTranslations } from 'next-intl'; useTranslations('a')('b')"),
  ).toBeUndefined()
  expect(keysOf("import type { Locale } from '@waymark/i18n'")).toBeUndefined()
})

test('a renamed import is found', () => {
  expect(
    keysOf("import { useTranslations as use } from '@waymark/i18n'; const t = use('a'); t('b')"),
  ).toEqual(['a.b'])
})

test('a computed key has its place', () => {
  const code = `${head}const t = useTranslations('a')\nt(key)`
  const at = findUsedMessages(parseAst(code, { lang: 'tsx' }))?.computedAt[0]
  expect(code.slice(at)).toBe('t(key)')
})
