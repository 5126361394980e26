import { Link, type Metadata } from 'waymark'

export const metadata: Metadata = { title: 'Not found' }

export default function NotFound() {
  return (
    <>
      <h1 className="text-4xl font-bold tracking-tight text-balance sm:text-5xl">Page not found</h1>
      <p className="mt-4 text-[1.1875rem] text-pretty text-soft">
        The address may have a typo, or the page has moved.{' '}
        <Link href="/" className="underline decoration-accent decoration-2 underline-offset-4">
          Go to the start page
        </Link>
        .
      </p>
    </>
  )
}
