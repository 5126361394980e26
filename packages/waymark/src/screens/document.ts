import { escapeHtml } from '../shared/html.ts'
import { defaultThemeConfig, type ThemeConfig } from '../theme/config.ts'
import { themeHead } from '../theme/head.ts'
import { screenMarkup } from './markup.ts'
import { type ScreenOptions, type ScreenRequest, screenModel } from './model.ts'
import { screenScript } from './script.ts'
import { documentStyle, screenStyle } from './style.ts'

/** What a screen's document needs to know. */
export type ScreenDocument = ScreenOptions & {
  readonly screen: ScreenRequest
  readonly theme?: ThemeConfig | undefined
}

/**
 * A complete document that holds one screen, without React, the app's code or any other file:
 * what is sent when rendering itself fails.
 */
export function screenDocument(document: ScreenDocument): string {
  const { theme = defaultThemeConfig } = document
  const model = screenModel(document.screen, document)
  const language = `lang="${escapeHtml(model.lang)}" dir="${model.dir}"`
  return [
    `<!DOCTYPE html><html ${language}><head><meta charset="utf-8">`,
    themeHead({ config: theme }),
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    `<title>${escapeHtml(model.title)}</title>`,
    // Each has the hash that it has where React writes it.
    `<style>${documentStyle}</style>`,
    `<style>${screenStyle}</style></head>`,
    `<body>${screenMarkup(model)}`,
    `<script>${screenScript}</script></body></html>`,
  ].join('')
}
