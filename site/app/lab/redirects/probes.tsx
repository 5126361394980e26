'use client'

import { type ReactNode, useState } from 'react'
import { Status } from '../_ui/requests.tsx'
import type { Probe } from './probe/route.ts'

type ProbesProps = { redirects: readonly { readonly url: string; readonly says: string }[] }

/** Requests each URL without following redirects, and shows the responses. */
export function Probes({ redirects }: ProbesProps): ReactNode {
  const [probes, setProbes] = useState<Readonly<Record<string, Probe>>>({})

  async function ask() {
    for (const { url } of redirects) {
      const response = await fetch(`/lab/redirects/probe?path=${encodeURIComponent(url)}`)
      const probe = (await response.json()) as Probe
      setProbes((before) => ({ ...before, [url]: probe }))
    }
  }

  return (
    <div className="stage">
      <p className="controls">
        <button type="button" className="button" onClick={ask}>
          Send all requests
        </button>
      </p>
      <dl className="facts" aria-live="polite">
        {redirects.map(({ url }) => (
          <div key={url}>
            <dt>{url}</dt>
            <dd>{probes[url] ? <ProbeResult probe={probes[url]} /> : '–'}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function ProbeResult({ probe: { status, location } }: { probe: Probe }): ReactNode {
  return (
    <>
      <Status status={status} /> {location && <code>{location}</code>}
    </>
  )
}
