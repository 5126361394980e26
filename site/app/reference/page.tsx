import { Link, type Metadata } from 'waymark'
import { referenceTexts } from '../_ui/pageTexts.ts'

export const metadata: Metadata = {
  title: 'Reference',
  description: 'Every export of the packages, with its types and docstrings.',
}

export default function ReferencePage() {
  return (
    <>
      <h1>Reference</h1>
      <p>
        Look up every export of the packages, with its types and docstrings. To learn how to use
        them, read <Link href="/guide">the guide</Link>. For commands and their options, see{' '}
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
