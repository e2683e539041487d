import "../shared/main.js";
