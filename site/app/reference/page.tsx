import { Link, type Metadata } from 'waymark'
import { referenceTexts } from '../_ui/pageTexts.ts'

export const metadata: Metadata = {
  title: 'Reference',
  description: 'Every export of the packages, from its types and docstrings.',
}

export default function ReferencePage() {
  return (
    <>
      <h1>Reference</h1>
      <p>
        Every export of the packages, written at build from its types and docstrings. What it is for
        stands in <Link href="/guide">the guide</Link>; commands are in{' '}
        <Link href="/guide/cli">The command line</Link>.
      </p>
      <ul>
        {referenceTexts().map(({ href, title }) => (
          <li key={href}>
            <Link href={href}>
              <code>{title}</code>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
