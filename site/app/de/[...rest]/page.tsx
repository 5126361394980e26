import { notFound } from 'waymark'

export const dynamic = 'force-dynamic'

/** Matches unknown URLs, so that their screen is in German. */
export default function UnknownPage(): never {
  notFound()
}
