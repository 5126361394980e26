import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { HeadNow } from './headNow.tsx'

type Props = { searchParams: Promise<Record<string, string | string[]>> }

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const place = placeOf(await searchParams)
  return {
    title: `Weather in ${place}`,
    description: `What the sky does over ${place}.`,
    alternates: { canonical: './' },
    openGraph: { siteName: 'Waymark lab' },
  }
}

const places = ['Bern', 'Zürich', 'Bellinzona “<&>”']

export default async function MetadataPage({ searchParams }: Props): Promise<ReactNode> {
  const place = placeOf(await searchParams)
  return (
    <>
      <h1>Metadata</h1>
      <p>
        This page’s metadata is a function of its query: now of <strong>{place}</strong>.
      </p>
      <Expect>
        <li>The title of this tab changes with each link, without loading the document.</li>
        <li>The title comes out of the lab layout’s template.</li>
        <li>The tags are in the HTML, too: look at the source of this page.</li>
      </Expect>
      <p className="controls">
        {places.map((name) => (
          <Link key={name} className="button" href={{ query: { place: name } }}>
            {name}
          </Link>
        ))}
      </p>
      <h2>The head, now</h2>
      <HeadNow />
    </>
  )
}

function placeOf({ place }: Record<string, string | string[]>): string {
  return typeof place === 'string' ? place : 'Bern'
}
