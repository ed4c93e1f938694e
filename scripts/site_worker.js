// A Worker for pages that are opened as files (file:), where browsers start none: a hidden frame runs the worker's script, and
// messages become function calls between the two. The theme's search needs no more of a Worker than this.
if (location.protocol === "file:") {
  window.Worker = window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.answer = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      frame.srcdoc = "<script>postMessage = (data) => frameElement.answer(data);" +
        "importScripts = (...urls) => urls.reduce((before, src) => before.then(() => new Promise((loaded) =>" +
        "document.head.appendChild(Object.assign(document.createElement('script'), { src, onload: loaded }))))," +
        " Promise.resolve());</" + "script><script src='" + url + "'></" + "script>";
      this.ready = new Promise((loaded) => (frame.onload = () => loaded(frame.contentWindow)));
      document.body.appendChild(frame);
    }
    postMessage(data) {
      this.ready.then((inside) => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }
    terminate() {}
  };
}
