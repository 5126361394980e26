import { notFound } from 'waymark'
import type { RouteHandlerContext } from 'waymark/server'
import { guideTexts, markdownResponse } from '../../_ui/pageTexts.ts'

export const dynamic = 'force-static'
export const dynamicParams = false

/** Serves each page as Markdown: `/guide/actions.md` is the page `/guide/actions`. */
export function generateStaticParams() {
  return guideTexts().map(({ href }) => ({ twin: `${href.slice('/guide/'.length)}.md` }))
}

export async function GET(_request: Request, { params }: RouteHandlerContext<{ twin: string }>) {
  const { twin } = await params
  const page = guideTexts().find(({ href }) => `${href}.md` === `/guide/${twin}`)
  return page ? markdownResponse(`${page.markdown}\n`) : notFound()
}
