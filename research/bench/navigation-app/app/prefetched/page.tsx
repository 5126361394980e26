import { ItemsContent } from '../../../pages/items.tsx'

/** The page with 100 items, the same for everybody: it can be fetched ahead whole. */
export default function Page() {
  return <ItemsContent query="none" />
}
