import { createServerFn } from '@tanstack/react-start'
import { greeting } from '../shared/greeting.ts'
import { items, rows } from '../shared/lists.ts'

/** The data that the pages read on the server. */
export const readGreeting = createServerFn({ method: 'GET' }).handler(() => ({ greeting }))

export const readSmall = createServerFn({ method: 'GET' })
  .validator((query) => query)
  .handler(({ data }) => ({ query: String(data ?? 'none') }))

export const readItems = createServerFn({ method: 'GET' })
  .validator((query) => query)
  .handler(({ data }) => ({ query: String(data ?? 'none'), list: items }))

export const readRows = createServerFn({ method: 'GET' })
  .validator((query) => query)
  .handler(({ data }) => ({ query: String(data ?? 'none'), list: rows }))
