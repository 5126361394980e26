'use client'

import { type ChangeEvent, useState } from 'react'
import { useRouter } from 'waymark/client'
import { endings, problemOf } from '../../ui/limits.ts'

type State =
  | { kind: 'idle' }
  | { kind: 'sending'; share: number }
  | { kind: 'failed'; problem: string }

/** Field that uploads a file to an issue as soon as it is chosen. The label states the limits. */
export function FileField({ url }: { url: string }) {
  const router = useRouter()
  const [state, setState] = useState<State>({ kind: 'idle' })
  const onChange = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0]
    if (!file) return
    const problem = problemOf(file)
    if (problem) return setState({ kind: 'failed', problem })
    setState({ kind: 'sending', share: 0 })
    try {
      await send(file, url, (share) => setState({ kind: 'sending', share }))
      setState({ kind: 'idle' })
      await router.refresh()
    } catch (error) {
      setState({ kind: 'failed', problem: (error as Error).message })
    }
  }
  return (
    <div className="file">
      <label>
        Attach a picture or a PDF, up to 20 MB
        <input type="file" accept={Object.keys(endings).join()} onChange={onChange} />
      </label>
      {state.kind === 'sending' && <progress value={state.share} aria-label="Sent" />}
      {state.kind === 'failed' && <p role="alert">{state.problem}</p>}
    </div>
  )
}

/** Uploads a file with `XMLHttpRequest`, because `fetch` doesn't report upload progress. */
function send(file: File, url: string, onProgress: (share: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    request.responseType = 'json'
    request.setRequestHeader('content-type', file.type)
    request.setRequestHeader('x-file-name', encodeURIComponent(file.name.slice(0, 100)))
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
    request.onload = () => {
      if (request.status < 300) return resolve()
      reject(new Error(request.response?.problem ?? `The server responded with ${request.status}.`))
    }
    request.onerror = () => reject(new Error('The connection was lost. Try again.'))
    request.send(file)
  })
}
