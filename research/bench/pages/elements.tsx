import { Counter } from './counter.tsx'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** 1,000 host elements in ten sections, and one client component. */
export function ElementsPage() {
  return (
    <article>
      <h1>A page with 1,000 elements</h1>
      <Counter start={0} />
      {numbers(10).map((number) => (
        <Section key={number} number={number} />
      ))}
    </article>
  )
}

function Section({ number }: { number: number }) {
  return (
    <section className="section">
      <h2>Section {number}</h2>
      {numbers(49).map((line) => (
        <p key={line} className="line">
          Line {line} of section {number}, <em>with a word that matters</em> and some that do not.
        </p>
      ))}
    </section>
  )
}
