import { checkOption } from '../shared/errors.ts'
import {
  type ColorScheme,
  defaultThemeConfig,
  preferenceAttribute,
  type Theme,
  type ThemeAttribute,
  type ThemeConfig,
} from './config.ts'

/** Theme settings of an app. */
export type ThemeOptions = {
  /** Key in local storage and name of the cookie. Default: `theme`. */
  readonly storageKey?: string
  /** Attributes on `<html>` for the theme. Default: `data-theme`. */
  readonly attribute?: ThemeAttribute | readonly ThemeAttribute[]
  /** Themes in addition to `light` and `dark`, with their colour schemes. */
  readonly themes?: Readonly<Record<string, ColorScheme>>
  /**
   * CSS colours for `<meta name="theme-color">`, by theme. Without its own colour, a theme uses its
   * colour scheme's.
   */
  readonly themeColors?: {
    readonly light: string
    readonly dark: string
    readonly [theme: string]: string
  }
  /** Copies the preference to a cookie, so that the server can read it. */
  readonly cookie?: boolean
}

const namePattern = /^[a-z][\w-]{0,63}$/i
const keyPattern = /^[\w.:-]{1,64}$/
const attributePattern = /^data-[a-z][a-z0-9-]{0,63}$/

/**
 * Validates the theme settings and fills in defaults.
 *
 * @throws FrameworkError `OPTION_VALUE` for a name that can't be used as a storage key or attribute
 */
export function resolveThemeOptions(options: ThemeOptions = {}): ThemeConfig {
  const { storageKey = defaultThemeConfig.storageKey, cookie = defaultThemeConfig.cookie } = options
  // A cookie's name can't contain a colon (RFC 6265 §4.1.1).
  const isName = keyPattern.test(storageKey) && !(cookie && storageKey.includes(':'))
  const rule = `use letters, digits, . _ and -${cookie ? '' : ', or a colon'}`
  check(isName, 'storageKey', storageKey, rule)
  return Object.freeze({
    storageKey,
    attributes: resolveAttributes(options.attribute ?? defaultThemeConfig.attributes),
    themes: resolveThemes(options),
    cookie,
  })
}

function resolveAttributes(attribute: ThemeAttribute | readonly ThemeAttribute[]) {
  const attributes = typeof attribute === 'string' ? [attribute] : [...attribute]
  for (const name of attributes) {
    const usable = attributePattern.test(name) && name !== preferenceAttribute
    check(name === 'class' || usable, 'attribute', name, 'use class, or data- followed by a name')
  }
  check(attributes.length > 0, 'attribute', '[]', 'name at least one')
  return Object.freeze(attributes)
}

function resolveThemes({ themes = {}, themeColors }: ThemeOptions): readonly Theme[] {
  const schemes = new Map<string, ColorScheme>([
    ['light', 'light'],
    ['dark', 'dark'],
  ])
  for (const [name, scheme] of Object.entries(themes)) {
    const usable = namePattern.test(name) && name !== 'system'
    check(usable, 'themes', name, 'use letters, digits, _ and -, and not system')
    check(scheme === 'light' || scheme === 'dark', 'themes', `${scheme}`, 'use light or dark')
    const builtIn = schemes.get(name) ?? scheme
    check(builtIn === scheme, 'themes', `${name}: ${scheme}`, `${name} is ${builtIn}`)
    schemes.set(name, scheme)
  }
  return Object.freeze(
    Array.from(schemes, ([name, scheme]) =>
      Object.freeze({ name, scheme, color: colorOf(name, scheme, themeColors) }),
    ),
  )
}

function colorOf(name: string, scheme: ColorScheme, colors: ThemeOptions['themeColors']) {
  if (colors === undefined) return null
  const color = Object.hasOwn(colors, name) ? colors[name] : colors[scheme]
  check(
    typeof color === 'string' && color !== '',
    'themeColors',
    `${color}`,
    'set a colour for light and for dark',
  )
  return color
}

function check(valid: boolean, option: string, value: string, rule: string): asserts valid {
  checkOption(valid, `theme.${option}`, value, rule)
}
