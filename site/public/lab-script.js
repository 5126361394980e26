for (const output of document.querySelectorAll(
  `output[name="${document.currentScript.dataset.id}"]`,
)) {
  output.textContent = `ran ${Math.round(performance.now())} ms after the document began`
}
