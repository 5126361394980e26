import vm from 'node:vm'
import { serializeTheme, type ThemeConfig } from '../config.ts'
import { themeScript } from '../themeScript.ts'

/** Conditions of a browser that runs the pre-paint script. */
export type PaintConditions = {
  config: ThemeConfig
  forced?: string | null
  /** Stored preference. An `Error` is thrown on reading, as in a browser that blocks site data. */
  stored: string | null | Error
  /** `null` if the browser has no `matchMedia`. */
  systemDark: boolean | null
}

/** Changes that the script made to the page. */
export type PaintedPage = {
  attributes: Record<string, string>
  classes: string[]
  preference: string | undefined
  colorScheme: string | undefined
  colors: string[]
  globals: string[]
}

/** Runs the pre-paint script in a separate realm, on a page with two colour meta elements. */
export function paint({ config, forced = null, stored, systemDark }: PaintConditions): PaintedPage {
  const attributes: Record<string, string> = {}
  const classes = new Set(['app'])
  const dataset: Record<string, string> = {}
  const style: Record<string, string> = {}
  const metas = [{ content: '' }, { content: '' }]
  const document = {
    documentElement: {
      dataset,
      style,
      classList: classes,
      setAttribute: (name: string, value: string) => {
        attributes[name] = value
      },
    },
    currentScript: { dataset: { waymarkTheme: serializeTheme({ config, forced }) } },
    querySelectorAll: (selector: string) => (selector === 'meta[name=theme-color]' ? metas : []),
  }
  const realm: Record<string, unknown> = { document, localStorage: storageOf(config, stored) }
  realm.self = realm
  if (systemDark !== null) realm.matchMedia = (query: string) => mediaList(query, systemDark)
  const before = Object.keys(realm)
  vm.runInNewContext(themeScript(config), realm)
  return {
    attributes,
    classes: [...classes],
    preference: dataset.themePreference,
    colorScheme: style.colorScheme,
    colors: metas.map((meta) => meta.content),
    globals: Object.keys(realm).filter((name) => !before.includes(name)),
  }
}

function storageOf(config: ThemeConfig, stored: string | null | Error) {
  return {
    getItem(key: string) {
      if (stored instanceof Error) throw stored
      return key === config.storageKey ? stored : null
    },
  }
}

function mediaList(query: string, systemDark: boolean) {
  if (query !== '(prefers-color-scheme:dark)') throw new Error(`unexpected media query ${query}`)
  return { matches: systemDark }
}
