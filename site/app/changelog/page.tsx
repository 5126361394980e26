import Changelog from 'virtual:changelog.mdx'
import '../_styles/prose.css'
import shell from '../_ui/shell.module.css'

export { metadata } from 'virtual:changelog.mdx'

export default function ChangelogPage() {
  return (
    <main className={`${shell.shell} ${shell.main}`}>
      <article className="prose">
        <Changelog />
      </article>
    </main>
  )
}
