import { statusRow } from '../http/statuses.ts'
import { escapeHtml } from '../shared/html.ts'
import { defaultThemeConfig, type ThemeConfig } from '../theme/config.ts'
import { themeHead } from '../theme/themeScript.ts'
import { type ScreenModel, type ScreenRequest, screenModel, statusTexts } from './model.ts'
import { english, type ScreenLocale } from './screenTexts.ts'
import { documentStyle, screenStyle } from './style.ts'

/**
 * Returns a complete document for a screen. It needs neither React nor any files, so it works even
 * if rendering fails.
 */
export function screenDocument({
  screen,
  locale,
  theme = defaultThemeConfig,
}: {
  readonly screen: ScreenRequest
  readonly locale?: ScreenLocale | undefined
  readonly theme?: ThemeConfig | undefined
}): string {
  const model = screenModel(screen, locale)
  const language = `lang="${escapeHtml(model.lang)}" dir="${model.dir}"`
  return [
    `<!DOCTYPE html><html ${language}><head><meta charset="utf-8">`,
    themeHead(theme),
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    `<title>${escapeHtml(model.title)}</title>`,
    // Write the style exactly as React does, so that one CSP hash allows it in both documents.
    `<style>${documentStyle}</style>`,
    `<style>${screenStyle}</style></head>`,
    `<body>${screenMarkup(model)}`,
    `<script>${screenScript}</script></body></html>`,
  ].join('')
}

/** Returns a screen's HTML without React. A test compares it with the output of `Screen`. */
export function screenMarkup(model: ScreenModel, element: 'main' | 'div' = 'main'): string {
  const long = model.isLong ? ' waymark-screen-long' : ''
  const back = `<button type="button" hidden="" data-waymark-back="">${escapeHtml(model.back)}</button>`
  return [
    `<${element} class="waymark-screen" lang="${escapeHtml(model.lang)}" dir="${model.dir}">`,
    paragraph('status', model.status),
    `<h1 class="waymark-screen-heading${long}">${escapeHtml(model.heading)}</h1>`,
    paragraph('sentence', model.sentence),
    paragraph('digest', model.digest),
    `<div class="waymark-screen-ways">${formButton(model.form)}${model.links.map(link).join('')}${back}</div>`,
    model.form === null
      ? ''
      : `<form id="waymark-screen-form" method="post" action="${escapeHtml(model.form.action)}"></form>`,
    `</${element}>`,
  ].join('')
}

function paragraph(name: string, text: string | null): string {
  return text === null ? '' : `<p class="waymark-screen-${name}">${escapeHtml(text)}</p>`
}

function formButton(form: ScreenModel['form']): string {
  return form === null
    ? ''
    : `<button type="submit" form="waymark-screen-form">${escapeHtml(form.label)}</button>`
}

function link({ href, label }: ScreenModel['links'][number]): string {
  return `<a href="${escapeHtml(href)}" data-waymark-document="">${escapeHtml(label)}</a>`
}

// The script is a string, like the pre-paint script, so that its CSP hash is stable and it needs no
// file.
const lines = [
  '{let b=document.querySelector("[data-waymark-back]");',
  'if(history.length>1){b.hidden=false;b.onclick=()=>history.back()}',
  // A copy of the pre-paint script replaces it, which runs the script again and thereby applies the
  // theme.
  'let f=()=>{let o=document.querySelector("script[data-waymark-theme]"),',
  'n=document.createElement("script");if(o){n.dataset.waymarkTheme=o.dataset.waymarkTheme;',
  'n.text=o.text;o.replaceWith(n)}};',
  'self.matchMedia?.("(prefers-color-scheme:dark)").addEventListener("change",f);',
  'addEventListener("storage",f);addEventListener("pageshow",e=>e.persisted&&f())}',
]

/** Script at the end of a screen's document. The CSP allows it by hash. */
export const screenScript = lines.join('')

/**
 * Returns a problem details object (RFC 9457 §4.2.1) for clients that aren't browsers.
 * @param locale the language of `detail`
 */
export function screenJson({
  status,
  digest,
  locale = english,
}: {
  readonly status: number
  readonly digest?: string | undefined
  readonly locale?: ScreenLocale | undefined
}): string {
  return JSON.stringify({
    type: 'about:blank',
    title: statusRow(status)?.phrase ?? locale.texts.otherHttp.heading,
    status,
    detail: statusTexts(status, locale).heading,
    ...(digest ? { digest } : {}),
  })
}
