export default function Vault() {
  return <p id="rendered">{`secret of the vault, rendered ${Math.random()}`}</p>
}
