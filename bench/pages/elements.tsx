import { Counter } from './counter.tsx'

/** 1,000 host elements in ten sections, and one client component. */
export function ElementsPage() {
  return (
    <article>
      <h1>A page with 1,000 elements</h1>
      <Counter start={0} />
      {Array.from({ length: 10 }, (_, index) => (
        <Section key={index} number={index + 1} />
      ))}
    </article>
  )
}

function Section({ number }: { number: number }) {
  return (
    <section className="section">
      <h2>Section {number}</h2>
      {Array.from({ length: 49 }, (_, index) => (
        <p key={index} className="line">
          Line {index + 1} of section {number}, <em>with a word that matters</em> and some that do
          not.
        </p>
      ))}
    </section>
  )
}
