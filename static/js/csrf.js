// The token of a form may be older than the last login; the cookie's is always the one the server expects.
(() => {
  "use strict";
  const token = () => {
    const found = document.cookie.match(/(?:^|;\s*)csrftoken=([^;]+)/);
    return found ? decodeURIComponent(found[1]) : null;
  };

  document.addEventListener("htmx:configRequest", (event) => {
    const value = token();
    if (!value || event.detail.verb === "get") return;
    event.detail.headers["X-CSRFToken"] = value;
    if ("csrfmiddlewaretoken" in event.detail.parameters) event.detail.parameters.csrfmiddlewaretoken = value;
  });

  document.addEventListener("submit", (event) => {
    const field = event.target.querySelector("input[name=csrfmiddlewaretoken]");
    const value = token();
    if (field && value) field.value = value;
  }, true);
})();
