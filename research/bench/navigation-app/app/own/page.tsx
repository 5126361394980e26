import { ItemsPage } from '../../../pages/items.tsx'
import { Toggle } from '../../../pages/toggle.tsx'

/** The page with 100 items, and with its own client code. */
export default function Page({ searchParams }: Parameters<typeof ItemsPage>[0]) {
  return (
    <>
      <Toggle />
      <ItemsPage searchParams={searchParams} />
    </>
  )
}
