import { expect, test } from 'vitest'
import { createAppVariants, withVariant } from './pageVariants.ts'
import { createRouteModules } from './routeModules.ts'

const assetsOf = (name: string) => ({
  stylesheets: { 'page.tsx': [`/${name}.css`] },
  scripts: { 'page.tsx': [`/${name}.js`] },
})

const modules = { imports: {}, devStyles: {}, ...assetsOf('default') }

const app = {
  variant: null,
  buildId: '0123',
  modules: createRouteModules(modules),
  variants: createAppVariants({
    choose: ({ pathname, params }) => String(params.lang ?? pathname.slice(1, 3)),
    buildId: '0123',
    variants: { en: assetsOf('en'), de: assetsOf('de') },
    modules,
  }),
}

test('a page has the build id and the files of its variant', () => {
  const { variant, buildId, modules } = withVariant(app, { pathname: '/de/about', params: {} })
  expect([variant, buildId]).toEqual(['de', '0123.de'])
  expect(modules.assetsOf('page.tsx')).toEqual([['/de.js'], ['/de.css']])
})

test('the params of a page can choose its variant', () => {
  expect(withVariant(app, { pathname: '/about', params: { lang: 'en' } }).variant).toBe('en')
})

test('an app without variants stays as it is', () => {
  const plain = { ...app, variants: null }
  expect(withVariant(plain, { pathname: '/de', params: {} })).toBe(plain)
})

test('a variant that the build does not have is an error with the existing ones', () => {
  expect(() => withVariant(app, { pathname: '/fr', params: {} })).toThrow(
    'returned "fr" for /fr, but the build has only en, de',
  )
})
