/** Shows nothing: no picture is open. */
export default function Closed(): null {
  return null
}
