'use client'

import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { createClientStream, type StreamFailure, type StreamState } from './clientStream.ts'
import { followPage } from './pageLifecycle.ts'
import type { ReceivedEvent } from './readStream.ts'

/** Options of `useStream()`. */
export type UseStreamOptions<Data = unknown> = {
  /** Called for each event, in order. The hook's `data` only has the last event's data. */
  readonly onEvent?: ((event: ReceivedEvent<Data>) => void) | undefined
  /** Id of the last event that the page already shows. */
  readonly since?: string | null | undefined
  /**
   * True to stay connected while the page is hidden. By default the stream pauses after 20 s, and
   * catches up later.
   */
  readonly keepHidden?: boolean | undefined
}

/** Result of `useStream()`. */
export type UseStream<Data = unknown> = {
  readonly state: StreamState
  /** Data of the last event; `undefined` before the first one. */
  readonly data: Data | undefined
  readonly error: StreamFailure | null
  /** Closes the stream. */
  close(): void
  /** Connects now, even after the stream was closed. */
  connect(): void
}

/**
 * Follows a stream of server-sent events while its component is mounted. After a lost connection, it
 * continues from the last event that it received.
 * @param url URL of a `stream()` handler; `null` for no stream
 * @example
 * const { state, data } = useStream<number>('/progress')
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
    // Only the app knows the type of its data, so cast.
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
