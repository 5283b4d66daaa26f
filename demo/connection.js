// Shows what TLS negotiated for this very connection.
(async () => {
  const card = document.getElementById("connection");
  const note = document.getElementById("note");
  const tell = (text) => {
    note.textContent = text;
    note.hidden = false;
  };
  try {
    const response = await fetch("/.tenon/connection", { cache: "no-store" });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const connection = await response.json();
    for (const place of card.querySelectorAll("[data-field]")) {
      place.textContent = connection[place.dataset.field] || "none";
    }
    if (connection.retried) tell("The server asked for another key share first (HelloRetryRequest).");
  } catch (error) {
    for (const place of card.querySelectorAll("[data-field]")) place.textContent = "unknown";
    tell(`Could not ask the server: ${error.message}.`);
  }
})();
