import type { ComponentType, ReactNode } from 'react'
import { type Metadata, notFound } from 'waymark'
import { alternatesOf, isTranslated } from '../../../_ui/language.ts'
import { guideGroups } from '../../../guide/_ui/pages.ts'

type Params = { page: string }
type Props = { params: Promise<Params> }

type EnglishPage = { readonly metadata: Metadata; readonly default: ComponentType }

const english = import.meta.glob<EnglishPage>('../../../guide/*/page.mdx')

/** Lists the pages of the guide that aren't written in German. */
export function generateStaticParams(): Params[] {
  const pages = guideGroups.flatMap((group) => group.pages)
  return pages
    .filter(({ href }) => !isTranslated(href))
    .map(({ href }) => ({ page: href.slice('/guide/'.length) }))
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { page } = await params
  const { metadata } = await readPage(page)
  return { ...metadata, alternates: alternatesOf(`/guide/${page}`, 'de') }
}

/** An English page of the guide in the German frame. */
export default async function EnglishGuidePage({ params }: Props): Promise<ReactNode> {
  const { default: Content } = await readPage((await params).page)
  return (
    <>
      <p className="only-english">Diese Seite gibt es nur auf Englisch.</p>
      <div lang="en" className="prose">
        <Content />
      </div>
    </>
  )
}

function readPage(page: string): Promise<EnglishPage> {
  const load = english[`../../../guide/${page}/page.mdx`] ?? notFound()
  return load()
}
