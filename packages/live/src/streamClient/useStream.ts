'use client'

import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { createClientStream, type StreamFailure, type StreamState } from './clientStream.ts'
import { followPage } from './pageLifecycle.ts'
import type { ReceivedEvent } from './readStream.ts'

export type UseStreamOptions<Data = unknown> = {
  /** Called for each event, in order; `data` of the result is that of the last one. */
  readonly onEvent?: ((event: ReceivedEvent<Data>) => void) | undefined
  /** Id of the last event that the page shows already. */
  readonly since?: string | null | undefined
  /** Stays connected while the page is hidden; default: pauses after 20 s, and catches up. */
  readonly keepHidden?: boolean | undefined
}

export type UseStream<Data = unknown> = {
  readonly state: StreamState
  /** `undefined` before the first event. */
  readonly data: Data | undefined
  readonly error: StreamFailure | null
  /** Ends it. */
  close(): void
  /** Connects now, also after it was closed. */
  connect(): void
}

/**
 * Follows a stream of server-sent events while its component is mounted. After a cut it comes back
 * from the last event that it had.
 * @param url of a `stream()`; `null` for none
 */
export function useStream<Data = unknown>(
  url: string | null,
  options: UseStreamOptions<Data> = {},
): UseStream<Data> {
  const { since = null, keepHidden = false } = options
  const [stream, setStream] = useState(() => createClientStream({ url, since }))
  if (stream.url !== url) setStream(createClientStream({ url, since }))
  const { get, getInitial, subscribe, start, close, connect } = stream

  const onEvent = useEffectEvent((event: ReceivedEvent) => {
    // What a handler sends is the app's own to know.
    options.onEvent?.(event as ReceivedEvent<Data>)
  })
  useEffect(() => {
    const stopFollowing = followPage(stream, { keepHidden })
    const stop = start(onEvent)
    return () => {
      stopFollowing()
      stop()
    }
  }, [stream, start, keepHidden])
  const { state, data, error } = useSyncExternalStore(subscribe, get, getInitial)
  return { state, data: data as Data | undefined, error, close, connect }
}
