import { escapeHtml } from '../shared/html.ts'
import type { ScreenModel } from './model.ts'

/**
 * A screen as HTML, without React: it has to work when rendering does not. `markup.test.tsx`
 * holds it against what `Screen` renders.
 */
export function screenMarkup(model: ScreenModel, element: 'main' | 'div' = 'main'): string {
  const long = model.isLong ? ' waymark-screen-long' : ''
  const back = `<button type="button" hidden="" data-waymark-back="">${escapeHtml(model.back)}</button>`
  return [
    `<${element} class="waymark-screen" lang="${escapeHtml(model.lang)}" dir="${model.dir}">`,
    paragraph('status', model.status),
    `<h1 class="waymark-screen-heading${long}">${escapeHtml(model.heading)}</h1>`,
    paragraph('sentence', model.sentence),
    paragraph('digest', model.digest),
    `<div class="waymark-screen-ways">${model.links.map(link).join('')}${back}</div>`,
    `</${element}>`,
  ].join('')
}

function paragraph(name: string, text: string | null): string {
  return text === null ? '' : `<p class="waymark-screen-${name}">${escapeHtml(text)}</p>`
}

function link({ href, label }: ScreenModel['links'][number]): string {
  return `<a href="${escapeHtml(href)}" data-waymark-document="">${escapeHtml(label)}</a>`
}
