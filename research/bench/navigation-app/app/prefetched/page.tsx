import { ItemsContent } from '../../../pages/items.tsx'

/** The page with 100 items, the same for everybody, so that it can be prefetched completely. */
export default function Page() {
  return <ItemsContent query="none" />
}
