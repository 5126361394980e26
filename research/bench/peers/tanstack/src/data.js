import { createServerFn } from '@tanstack/react-start'
import { greeting } from '../shared/greeting.ts'
import { items } from '../shared/items.tsx'

/** The data that the pages read on the server. */
export const readGreeting = createServerFn({ method: 'GET' }).handler(() => ({ greeting }))

export const readSmall = createServerFn({ method: 'GET' })
  .validator((query) => query)
  .handler(({ data }) => ({ query: String(data ?? 'none') }))

export const readItems = createServerFn({ method: 'GET' })
  .validator((query) => query)
  .handler(({ data }) => ({ query: String(data ?? 'none'), list: items }))
