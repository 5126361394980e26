import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { HeadNow } from './headNow.tsx'

type Props = { searchParams: Promise<Record<string, string | string[]>> }

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const place = placeOf(await searchParams)
  return {
    title: `Weather in ${place}`,
    description: `Today’s weather in ${place}.`,
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
        The metadata of this page depends on its query, now <strong>{place}</strong>.
      </p>
      <Expect>
        <li>Each link changes the title of this tab without loading a document.</li>
        <li>The template of the lab’s layout completes the title.</li>
        <li>The HTML contains the tags, too: see the source of this page.</li>
      </Expect>
      <p className="controls">
        {places.map((name) => (
          <Link key={name} className="button" href={{ query: { place: name } }}>
            {name}
          </Link>
        ))}
      </p>
      <h2>The current head</h2>
      <HeadNow />
    </>
  )
}

function placeOf({ place }: Record<string, string | string[]>): string {
  return typeof place === 'string' ? place : 'Bern'
}
