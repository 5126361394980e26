import { Counter } from './counter'
import styles from './page.module.css'

export default function Home() {
  return (
    <>
      <h1>Your app is running</h1>
      <p className="lead">
        This page is <code>app/page.tsx</code>. Edit and save it to see the change here.
      </p>
      <ul className={styles.trail}>
        <li>
          <h2>Add a page</h2>
          <p>
            Each folder is a part of the URL: <code>app/about/page.tsx</code> is the page at{' '}
            <code>/about</code>.
          </p>
        </li>
        <li>
          <h2>Load data</h2>
          <p>
            Pages run on the server. Make a page <code>async</code>, and <code>await</code> its
            data.
          </p>
        </li>
        <li>
          <h2>Make it interactive</h2>
          <p>
            <code>app/counter.tsx</code> begins with <code>'use client'</code>, so it also runs in
            the browser.
          </p>
          <Counter />
        </li>
        <li>
          <h2>Build and serve</h2>
          <p>
            Run <code>npm run build</code>, then <code>npm start</code>.
          </p>
        </li>
      </ul>
    </>
  )
}
